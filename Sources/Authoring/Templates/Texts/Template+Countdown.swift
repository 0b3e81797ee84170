// Made of Templates/countdown.json by `Templates/embed.sh --write`; change that.

extension Template {
    static let countdown = #"""
        {
          "name": "countdown",
          "summary": "Seconds to go as a large number, with a ring that closes once in each; it covers the picture.",
          "parameters": [
            {
              "name": "from", "type": "integer", "default": 5, "minimum": 1, "maximum": 99,
              "summary": "The first number; the last one is 1."
            },
            { "name": "begin", "type": "time", "default": "0s", "summary": "When the first number is there." },
            {
              "name": "size", "type": "number", "default": 0.4, "minimum": 0.05, "maximum": 0.7,
              "summary": "Of the digits, in shares of the picture's shorter side."
            },
            { "name": "color", "type": "color", "default": [1, 1, 1, 1], "summary": "Of digits and ring." },
            {
              "name": "background", "type": "color", "default": [0.1, 0.11, 0.14, 1],
              "summary": "Over the whole picture."
            },
            {
              "name": "font", "type": "font", "summary": "A family, or several; absent: the machine's sans-serif one."
            }
          ],
          "values": [
            { "em": "unit * size" },
            { "side": "em * 1.9" },
            { "line": "em * 0.06" },
            { "length": "seconds(from)" }
          ],
          "end": "begin + length",
          "layers": [
            {
              "id": "=id", "bounds": [0, 0, "=width", "=height"], "position": ["=width / 2", "=height / 2"],
              "beginTime": "=begin", "duration": "=length", "backgroundColor": "=background",
              "sublayers": [
                {
                  "bounds": [0, 0, "=side", "=side"], "position": ["=width / 2", "=height / 2"],
                  "transform": { "rotate": 90 },
                  "contents": {
                    "shape": {
                      "ellipse": ["=line", "=line", "=side - line * 2", "=side - line * 2"], "strokeColor": "=color",
                      "lineWidth": "=line", "lineCap": "butt"
                    }
                  },
                  "animations": [
                    { "keyPath": "shape.strokeEnd", "from": 0, "to": 1, "duration": "1s", "repeat": "inf" }
                  ]
                },
                {
                  "bounds": [0, 0, "=side", "=em * 1.3"], "position": ["=width / 2", "=height / 2"],
                  "contents": {
                    "text": {
                      "string": "=str(from)", "font": "=font", "size": "=em", "weight": 700, "color": "=color",
                      "align": "center", "verticalAlign": "center", "shrinkToFit": true
                    }
                  },
                  "animations": [
                    {
                      "keyPath": "text.string", "calculation": "discrete", "duration": "=length", "fill": "both",
                      "values": [{ "$for": "second", "in": "from", "each": "=str(from - second)" }]
                    }
                  ]
                }
              ]
            }
          ]
        }
        """#
}

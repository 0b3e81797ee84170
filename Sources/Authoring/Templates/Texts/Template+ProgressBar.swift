// Made of Templates/progress-bar.json by `Templates/embed.sh --write`; change that.

extension Template {
    static let progressBar = #"""
        {
          "name": "progress-bar",
          "summary": "A bar along an edge that grows evenly from nothing to the picture's width.",
          "parameters": [
            { "name": "begin", "type": "time", "default": "0s", "summary": "When it is empty." },
            {
              "name": "duration", "type": "time", "minimum": 0.001,
              "summary": "Until it is full; absent: as long as the film."
            },
            {
              "name": "edge", "type": "word", "words": ["bottom", "top"], "default": "bottom",
              "summary": "Along which edge."
            },
            {
              "name": "size", "type": "number", "default": 0.015, "minimum": 0.001, "maximum": 0.2,
              "summary": "How thick it is, in shares of the picture's shorter side."
            },
            { "name": "color", "type": "color", "default": [1, 0.75, 0.2, 1], "summary": "Of the bar." },
            {
              "name": "background", "type": "color", "default": [1, 1, 1, 0.25],
              "summary": "Of what is still to come."
            }
          ],
          "values": [{ "tall": "max(1, unit * size)" }, { "length": "if(duration, duration, film)" }],
          "end": "begin + length",
          "layers": [
            {
              "id": "=id", "bounds": [0, 0, "=width", "=tall"], "anchorPoint": [0, "=if(edge = 'top', 1, 0)"],
              "position": [0, "=if(edge = 'top', height, 0)"], "beginTime": "=begin", "duration": "=length",
              "backgroundColor": "=background",
              "sublayers": [
                {
                  "bounds": [0, 0, "=width", "=tall"], "anchorPoint": [0, 0], "backgroundColor": "=color",
                  "animations": [
                    {
                      "keyPath": "bounds.size.width", "from": 0, "to": "=width", "duration": "=length", "fill": "both"
                    }
                  ]
                }
              ]
            }
          ]
        }
        """#
}

// Made of Templates/lower-third.json by `Templates/embed.sh --write`; change that.

extension Template {
    static let lowerThird = #"""
        {
          "name": "lower-third",
          "summary": "A name, and beneath it a role, on a bar in the lower third that opens and closes.",
          "parameters": [
            { "name": "name", "type": "text", "required": true, "summary": "The large line." },
            { "name": "role", "type": "text", "default": "", "summary": "The small line beneath it." },
            { "name": "begin", "type": "time", "default": "1s", "summary": "When it opens." },
            {
              "name": "duration", "type": "time", "default": "5s", "minimum": 0.1, "summary": "How long it is there."
            },
            {
              "name": "side", "type": "word", "words": ["left", "center", "right"], "default": "left",
              "summary": "Where it stands."
            },
            {
              "name": "size", "type": "number", "default": 0.055, "minimum": 0.01, "maximum": 0.1,
              "summary": "Of the large letters, in shares of the picture's shorter side."
            },
            { "name": "color", "type": "color", "default": [1, 1, 1, 1], "summary": "Of the letters." },
            { "name": "background", "type": "color", "default": [0, 0, 0, 0.65], "summary": "Of the bar." },
            { "name": "accent", "type": "color", "default": [1, 0.75, 0.2, 1], "summary": "Of the bar's edge." },
            {
              "name": "font", "type": "font", "summary": "A family, or several; absent: the machine's sans-serif one."
            }
          ],
          "values": [
            { "em": "unit * size" },
            { "fade": "min(0.4s, duration / 4)" },
            { "share": "fade / duration" },
            { "tall": "em * if(role, 2.5, 1.7)" },
            { "wide": "min(width * 0.9, em * 14)" },
            {
              "left": "if(side = 'left', width * 0.05, if(side = 'right', width * 0.95 - wide, (width - wide) / 2))"
            }
          ],
          "end": "begin + duration",
          "layers": [
            {
              "id": "=id", "bounds": [0, 0, "=wide", "=tall"], "anchorPoint": [0, 0],
              "position": ["=left", "=height * 0.08"], "beginTime": "=begin", "duration": "=duration",
              "masksToBounds": true, "backgroundColor": "=background",
              "animations": [
                {
                  "keyPath": "bounds.size.width", "values": [0, "=wide", "=wide", 0],
                  "keyTimes": [0, "=share", "=1 - share", 1], "timing": ["easeOut", "linear", "easeIn"],
                  "duration": "=duration"
                }
              ],
              "sublayers": [
                { "bounds": [0, 0, "=em * 0.18", "=tall"], "anchorPoint": [0, 0], "backgroundColor": "=accent" },
                {
                  "bounds": [0, 0, "=wide - em * 1.1", "=em * 1.3"], "anchorPoint": [0, 1],
                  "position": ["=em * 0.65", "=tall - em * 0.2"],
                  "contents": {
                    "text": {
                      "string": "=name", "font": "=font", "size": "=em", "weight": 700, "color": "=color",
                      "verticalAlign": "center", "shrinkToFit": true
                    }
                  }
                },
                {
                  "$if": "role", "bounds": [0, 0, "=wide - em * 1.1", "=em * 0.85"], "anchorPoint": [0, 0],
                  "position": ["=em * 0.65", "=em * 0.2"],
                  "contents": {
                    "text": {
                      "string": "=role", "font": "=font", "size": "=em * 0.62", "color": "=color",
                      "verticalAlign": "center", "shrinkToFit": true
                    }
                  }
                }
              ]
            }
          ]
        }
        """#
}

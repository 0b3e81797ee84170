// Made of Templates/end-credits.json by `Templates/embed.sh --write`; change that.

extension Template {
    static let endCredits = #"""
        {
          "name": "end-credits",
          "summary": "Lines that roll upwards at an even speed; the first of several without a gap is small.",
          "parameters": [
            { "name": "lines", "type": "lines", "required": true, "summary": "The lines; empty ones leave room." },
            {
              "name": "begin", "type": "time", "default": "0s",
              "summary": "When the first line comes in at the bottom."
            },
            {
              "name": "speed", "type": "number", "default": 0.15, "minimum": 0.01, "maximum": 2,
              "summary": "Heights of the picture a second."
            },
            {
              "name": "size", "type": "number", "default": 0.055, "minimum": 0.01, "maximum": 0.2,
              "summary": "Of the letters, in shares of the picture's shorter side."
            },
            { "name": "color", "type": "color", "default": [1, 1, 1, 1], "summary": "Of the letters." },
            { "name": "accent", "type": "color", "default": [0.72, 0.72, 0.72, 1], "summary": "Of the small lines." },
            { "name": "background", "type": "color", "default": [0, 0, 0, 1], "summary": "Over the whole picture." },
            {
              "name": "font", "type": "font", "summary": "A family, or several; absent: the machine's sans-serif one."
            }
          ],
          "values": [
            { "em": "unit * size" },
            { "leading": "em * 1.5" },
            { "total": "leading * count(lines)" },
            { "velocity": "height * speed" },
            { "duration": "seconds(ceil((height + total) / velocity))" },
            { "way": "velocity * (duration / 1s)" }
          ],
          "end": "begin + duration",
          "layers": [
            {
              "id": "=id", "bounds": [0, 0, "=width", "=height"], "position": ["=width / 2", "=height / 2"],
              "beginTime": "=begin", "duration": "=duration", "backgroundColor": "=background",
              "sublayers": [
                {
                  "bounds": [0, 0, "=width", "=total"], "anchorPoint": [0.5, 1], "position": ["=width / 2", 0],
                  "animations": [
                    { "keyPath": "position.y", "from": 0, "to": "=way", "duration": "=duration", "fill": "both" }
                  ],
                  "sublayers": [
                    {
                      "$for": "line", "in": "lines",
                      "each": {
                        "$if": "line", "bounds": [0, 0, "=width * 0.9", "=leading"], "anchorPoint": [0.5, 1],
                        "position": ["=width / 2", "=total - line_index * leading"],
                        "contents": {
                          "text": {
                            "string": "=line", "font": "=font", "size": "=em * if(line_heads, 0.62, 1)",
                            "color": "=if(line_heads, accent, color)", "align": "center", "verticalAlign": "center",
                            "shrinkToFit": true
                          }
                        }
                      }
                    }
                  ]
                }
              ]
            }
          ]
        }
        """#
}

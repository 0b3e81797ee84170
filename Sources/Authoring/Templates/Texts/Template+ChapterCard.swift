// Made of Templates/chapter-card.json by `Templates/embed.sh --write`; change that.

extension Template {
    static let chapterCard = #"""
        {
          "name": "chapter-card",
          "summary": "A chapter's number and title on a plate that slides in at the top left, and out again.",
          "parameters": [
            { "name": "title", "type": "text", "required": true, "summary": "The chapter's title." },
            { "name": "number", "type": "text", "default": "", "summary": "Above it, such as Chapter 1." },
            { "name": "begin", "type": "time", "default": "0s", "summary": "When it slides in." },
            {
              "name": "duration", "type": "time", "default": "3s", "minimum": 0.1, "summary": "How long it is there."
            },
            {
              "name": "size", "type": "number", "default": 0.06, "minimum": 0.01, "maximum": 0.12,
              "summary": "Of the title's letters, in shares of the picture's shorter side."
            },
            { "name": "color", "type": "color", "default": [0.08, 0.09, 0.12, 1], "summary": "Of the letters." },
            { "name": "background", "type": "color", "default": [1, 1, 1, 0.9], "summary": "Of the plate." },
            {
              "name": "font", "type": "font", "summary": "A family, or several; absent: the machine's sans-serif one."
            }
          ],
          "values": [
            { "em": "unit * size" },
            { "fade": "min(0.5s, duration / 4)" },
            { "share": "fade / duration" },
            { "tall": "em * if(number, 2.6, 1.8)" },
            { "wide": "min(width * 0.75, em * 12)" },
            { "y": "height * 0.92" }
          ],
          "end": "begin + duration",
          "layers": [
            {
              "id": "=id", "bounds": [0, 0, "=wide", "=tall"], "anchorPoint": [0, 1], "position": [0, "=y"],
              "beginTime": "=begin", "duration": "=duration", "backgroundColor": "=background",
              "animations": [
                {
                  "keyPath": "position.x", "values": ["=-wide", 0, 0, "=-wide"],
                  "keyTimes": [0, "=share", "=1 - share", 1], "timing": ["easeOut", "linear", "easeIn"],
                  "duration": "=duration"
                }
              ],
              "sublayers": [
                {
                  "bounds": [0, 0, "=wide - em * 1.4", "=tall - em * 0.4"], "anchorPoint": [0, 0],
                  "position": ["=em * 0.8", "=em * 0.2"],
                  "contents": {
                    "text": {
                      "markup": true, "font": "=font", "size": "=em", "color": "=color", "verticalAlign": "center",
                      "shrinkToFit": true,
                      "string": {
                        "$join": [
                          { "$if": "number", "$join": ["<span size=\"55%\">", "=number", "</span>\n"] },
                          "<b>",
                          "=title",
                          "</b>"
                        ]
                      }
                    }
                  }
                }
              ]
            }
          ]
        }
        """#
}

// Made of Templates/title-card.json by `Templates/embed.sh --write`; change that.

extension Template {
    static let titleCard = #"""
        {
          "name": "title-card",
          "summary": "A title in the middle of the picture, which it darkens; it fades in and out.",
          "parameters": [
            { "name": "title", "type": "text", "required": true, "summary": "The large lines." },
            { "name": "subtitle", "type": "text", "default": "", "summary": "The small lines beneath." },
            { "name": "begin", "type": "time", "default": "0s", "summary": "When it fades in." },
            {
              "name": "duration", "type": "time", "default": "4s", "minimum": 0.1, "summary": "How long it is there."
            },
            {
              "name": "size", "type": "number", "default": 0.13, "minimum": 0.01, "maximum": 0.5,
              "summary": "Of the large letters, in shares of the picture's shorter side; smaller where they lack room."
            },
            { "name": "color", "type": "color", "default": [1, 1, 1, 1], "summary": "Of the letters." },
            {
              "name": "background", "type": "color", "default": [0, 0, 0, 0.5], "summary": "Over the whole picture."
            },
            { "name": "accent", "type": "color", "default": [1, 0.75, 0.2, 1], "summary": "Of the line between." },
            {
              "name": "font", "type": "font", "summary": "A family, or several; absent: the machine's sans-serif one."
            }
          ],
          "values": [
            { "em": "unit * size" },
            { "fade": "min(0.6s, duration / 4)" },
            { "share": "fade / duration" },
            { "wide": "width * 0.86" }
          ],
          "end": "begin + duration",
          "layers": [
            {
              "id": "=id", "bounds": [0, 0, "=width", "=height"], "position": ["=width / 2", "=height / 2"],
              "beginTime": "=begin", "duration": "=duration", "backgroundColor": "=background",
              "animations": [
                {
                  "keyPath": "opacity", "values": [0, 1, 1, 0], "keyTimes": [0, "=share", "=1 - share", 1],
                  "duration": "=duration"
                }
              ],
              "sublayers": [
                {
                  "bounds": [0, 0, "=wide", "=height * 0.38"], "anchorPoint": [0.5, 0],
                  "position": ["=width / 2", "=height * 0.47"],
                  "contents": {
                    "text": {
                      "string": "=title", "font": "=font", "size": "=em", "weight": 700, "color": "=color",
                      "align": "center", "verticalAlign": "bottom", "shrinkToFit": true,
                      "shadow": { "offset": [0, "=em * 0.03"], "blur": "=min(em * 0.15, 256)" }
                    }
                  }
                },
                {
                  "bounds": [0, 0, "=em * 1.6", "=em * 0.06"], "position": ["=width / 2", "=height * 0.44"],
                  "backgroundColor": "=accent",
                  "animations": [
                    {
                      "keyPath": "bounds.size.width", "from": 0, "to": "=em * 1.6", "duration": "=fade + fade",
                      "timing": "easeOut"
                    }
                  ]
                },
                {
                  "$if": "subtitle", "bounds": [0, 0, "=wide", "=height * 0.22"], "anchorPoint": [0.5, 1],
                  "position": ["=width / 2", "=height * 0.41"],
                  "contents": {
                    "text": {
                      "string": "=subtitle", "font": "=font", "size": "=em * 0.42", "color": "=color",
                      "align": "center", "shrinkToFit": true
                    }
                  }
                }
              ]
            }
          ]
        }
        """#
}

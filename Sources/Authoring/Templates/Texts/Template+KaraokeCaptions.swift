// Made of Templates/karaoke-captions.json by `Templates/embed.sh --write`; change that.

extension Template {
    static let karaokeCaptions = #"""
        {
          "name": "karaoke-captions",
          "summary": "Timed text whose words change colour as they are sung: WebVTT with times within cues.",
          "parameters": [
            {
              "name": "file", "type": "file", "required": true,
              "summary": "SubRip or WebVTT, such as <00:01.500>word."
            },
            {
              "name": "place", "type": "word", "words": ["bottom", "middle", "top"], "default": "bottom",
              "summary": "Where cues stand that do not say it."
            },
            {
              "name": "size", "type": "number", "default": 0.08, "minimum": 0.01, "maximum": 0.3,
              "summary": "Of the letters, in shares of the picture's shorter side."
            },
            { "name": "color", "type": "color", "default": [1, 1, 1, 1], "summary": "Of what is still to come." },
            { "name": "highlight", "type": "color", "default": [1, 0.75, 0.2, 1], "summary": "Of what has begun." },
            { "name": "outline", "type": "color", "default": [0, 0, 0, 1], "summary": "Around the letters." },
            { "name": "offset", "type": "time", "default": "0s", "summary": "Added to the file's times." },
            {
              "name": "font", "type": "font", "summary": "A family, or several; absent: the machine's sans-serif one."
            }
          ],
          "values": [{ "em": "unit * size" }],
          "assets": [{ "name": "=id", "asset": { "kind": "subtitles", "url": "=file" } }],
          "subtitles": [
            {
              "asset": "=id", "offset": "=offset", "place": "=place", "highlight": "=highlight",
              "area": ["=width * 0.06", "=height * 0.06", "=width * 0.88", "=height * 0.88"],
              "text": {
                "string": "{{text}}", "font": "=font", "size": "=em", "weight": 700, "color": "=color",
                "align": "center", "outline": { "width": "=em * 0.07", "color": "=outline" },
                "shadow": { "offset": [0, "=em * 0.06"], "blur": "=em * 0.15" }
              }
            }
          ]
        }
        """#
}

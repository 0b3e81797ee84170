// Made of Templates/watermark.json by `Templates/embed.sh --write`; change that.

extension Template {
    static let watermark = #"""
        {
          "name": "watermark",
          "summary": "A picture in a corner, for all of the film or a part of it.",
          "parameters": [
            {
              "name": "picture", "type": "file", "required": true,
              "summary": "A picture file; what it lets through shows the film."
            },
            {
              "name": "aspect", "type": "number", "default": 1, "minimum": 0.01, "maximum": 100,
              "summary": "The picture's width divided by its height, so that it reaches its corner."
            },
            {
              "name": "corner", "type": "word", "words": ["topLeft", "topRight", "bottomLeft", "bottomRight"],
              "default": "topRight", "summary": "Where it stands."
            },
            {
              "name": "size", "type": "number", "default": 0.14, "minimum": 0.005, "maximum": 1,
              "summary": "Of a square picture; others have the same area. In shares of the film's shorter side."
            },
            {
              "name": "margin", "type": "number", "default": 0.045, "minimum": 0, "maximum": 0.4,
              "summary": "From the edges, in shares of the film's shorter side."
            },
            {
              "name": "opacity", "type": "number", "default": 0.75, "minimum": 0, "maximum": 1,
              "summary": "How much of it is seen."
            },
            { "name": "begin", "type": "time", "default": "0s", "summary": "When it is there." },
            {
              "name": "duration", "type": "time", "minimum": 0.001,
              "summary": "For how long; absent: to the film's end."
            }
          ],
          "values": [
            { "edge": "unit * margin" },
            { "wide": "min(unit * size * sqrt(aspect), width - edge * 2)" },
            { "tall": "wide / aspect" },
            { "isLeft": "if(corner = 'topLeft', 1, if(corner = 'bottomLeft', 1, 0))" },
            { "isTop": "if(corner = 'topLeft', 1, if(corner = 'topRight', 1, 0))" }
          ],
          "assets": [{ "name": "=id", "asset": { "kind": "image", "url": "=picture" } }],
          "layers": [
            {
              "id": "=id", "bounds": [0, 0, "=wide", "=tall"], "anchorPoint": ["=1 - isLeft", "=isTop"],
              "position": ["=if(isLeft, edge, width - edge)", "=if(isTop, height - edge, edge)"],
              "beginTime": "=begin", "duration": "=duration", "opacity": "=opacity", "contents": { "image": "=id" },
              "contentsGravity": "resizeAspect"
            }
          ]
        }
        """#
}

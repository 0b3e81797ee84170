import Compositing
import Libav
import Pictures
import SplitreelTimeline

/// A layer with its picture made, ready to be drawn.
struct DrawnLayer {
    let recipe: LayerRecipe
    let picture: Picture
    /// The opaque picture of the border's colour; nil where there is no border to draw.
    let border: Picture?

    /// The fill of a layer's border; nil where it has none. The colour is everywhere the same, so that any size does.
    static func borderFill(_ recipe: LayerRecipe) -> ColourFill? {
        guard let outline = recipe.outline, outline.hasBorder else { return nil }
        var colour = outline.borderColour
        colour.alpha = 1
        return ColourFill(colour: colour, size: PixelSize(width: 2, height: 2))
    }

    /// The images of the picture and, over it in the same place, of its border. They are to be used while the layer
    /// lives: the pictures' planes are theirs.
    func images(clip: Rect?) -> [LayerImage] {
        let standsIn = picture.standsIn
        var image = LayerImage(
            image: picture.image, pixelAspect: picture.pixelAspect,
            transform: standsIn?.then(recipe.transform) ?? recipe.transform,
            crop: crop,
            opacity: recipe.opacity * recipe.pictureAlpha, clip: clip, identity: AnyHashable(recipe.picture))
        guard let outline = recipe.outline else { return [image] }
        var edge = LayerEdge(
            outline, by: standsIn, width: picture.width * image.pixelAspect, height: picture.height)
        edge.pictureAlpha = recipe.pictureAlpha
        image.edge = edge
        guard let border, let fill = Self.borderFill(recipe) else { return [image] }
        var line = image
        line.image = border.frame.imageOfKeptFrame()
        line.pixelAspect = 1
        line.edge = edge.border
        line.opacity = recipe.opacity * outline.borderColour.alpha
        line.identity = AnyHashable(PictureNode.fill(fill))
        return [image, line]
    }

    /// The crop in the picture's own display pixels, without the empty part of a reduced still's last pixels; nil for
    /// none.
    private var crop: Rect? {
        let crop = picture.standsIn.flatMap(\.inverse).flatMap { recipe.crop?.bounds(by: $0) } ?? recipe.crop
        let (width, height) = (picture.width * picture.pixelAspect, picture.height)
        guard picture.width < Double(picture.frame.width) || height < Double(picture.frame.height) else { return crop }
        guard let crop else { return Rect(x: 0, y: 0, width: width, height: height) }
        let (left, top) = (max(0, crop.x), max(0, crop.y))
        return Rect(
            x: left, y: top, width: max(0, min(crop.x + crop.width, width) - left),
            height: max(0, min(crop.y + crop.height, height) - top))
    }
}

// Made of Templates/*.json by `Templates/embed.sh --write`; change that.

extension Template {
    package static let texts = [
        chapterCard,
        countdown,
        endCredits,
        karaokeCaptions,
        lowerThird,
        progressBar,
        titleCard,
        watermark,
    ]
}

"""The films, one a file; `ALL` has them in the order of the page."""

from films.clips import Clips
from films.dissolve import Dissolve
from films.grid import Grid
from films.hdr import HDR
from films.hour import Hour
from films.pip import PictureInPicture
from films.slideshow import Slideshow
from films.title import Title
from films.watermark import Watermark

ALL = [Hour, Dissolve, Watermark, Slideshow, PictureInPicture, HDR, Grid, Clips, Title]

"""The start positions (abalone.md, Board and set-up): rows i to a, Black to move."""

from typing import Final

LAYOUTS: Final[dict[str, str]] = {
    "standard": "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb",
    "belgian-daisy": "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww",
    "german-daisy": "5/ww2bb/www1bbb/1ww2bb1/9/1bb2ww1/bbb1www/bb2ww/5",
    "swiss-daisy": "5/ww2bb/wbw1bwb/1ww2bb1/9/1bb2ww1/bwb1wbw/bb2ww/5",
    "dutch-daisy": "ww1bb/wbwbwb/1ww1bb1/8/9/8/1bb1ww1/bwbwbw/bb1ww",
    "the-wall": "2w2/6/1wwwww1/wwwwwwww/9/bbbbbbbb/1bbbbb1/6/2b2",
    "alien-attack": "b1b1b/1bwwb1/1bwbwb1/3bb3/9/3ww3/1wbwbw1/1wbbw1/w1w1w",
    "star": "b3w/1w2b1/w1b1w1b/3wb3/wbwb1wbwb/3wb3/w1b1w1b/1w2b1/b3w",
    "duel": "1w1b1/wwwbbb/2w1b2/b6w/bb5ww/b6w/2w1b2/wwwbbb/1w1b1",
    "checkerboard": "5/bwbwbw/7/wbwbwbwb/9/bwbwbwbw/7/wbwbwb/5",
    "domination": "5/w4b/ww3bb/wwww1bbb/3b1b3/bbb1wwww/bb3ww/b4w/5",
    "infiltration": "1bwb1/1bbbb1/1bwbwb1/1b4b1/9/1w4w1/1wbwbw1/1wwww1/1wbw1",
    "pyramid": "w4/ww4/www4/wwww4/wwww1bbbb/4bbbb/4bbb/4bb/4b",
    "fujiyama": "wwwww/1wbbw1/2wbw2/3ww3/9/3bb3/2bwb2/1bwwb1/bbbbb",
}
STANDARD: Final = "standard"

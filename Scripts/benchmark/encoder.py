"""The x264 settings of `convert`, for peers that must use the same."""

# Differences from x264's preset `faster` at 15 frames per second; see X264Preset.parameters and VideoEncoder.
OUR_PARAMETERS = {"ipratio": "1.25", "rc-lookahead": "3", "ref": "1", "bframes": "0", "scenecut": "0"}
# Those with the preset `medium`.
MEDIUM_PARAMETERS = {name: value for name, value in OUR_PARAMETERS.items() if name != "ref"}
# Pictures from one key frame to the next in a movie of three seconds; see ConversionPlan.picturesOfGroup.
KEY_FRAME_INTERVAL = "12"


def joined(parameters: dict[str, str]) -> str:
    """Parameters as x264-params of ffmpeg."""
    return ":".join("=".join(each) for each in parameters.items())


def options(*names: str) -> str:
    """Some of OUR_PARAMETERS as options of the x264 command line."""
    return " ".join(f"--{name} {OUR_PARAMETERS[name]}" for name in names)

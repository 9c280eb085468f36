"""The x264 settings of `convert`, for peers that must use the same."""

# Differences from x264's preset `faster` at 15 frames per second; see X264Preset.parameters.
OUR_PARAMETERS = {"ipratio": "1.25", "rc-lookahead": "10", "ref": "1", "partitions": "p8x8,i8x8,i4x4"}


def options(*names: str) -> str:
    """Some of OUR_PARAMETERS as options of the x264 command line."""
    return " ".join(f"--{name} {OUR_PARAMETERS[name]}" for name in names)

"""How `convert` asks x264 to encode, for peers that are to do the same."""

# What differs from x264's preset `faster` at 15 frames a second: X264Preset.parameters has it.
OUR_PARAMETERS = {"ipratio": "1.25", "rc-lookahead": "10", "ref": "1", "partitions": "p8x8,i8x8,i4x4"}


def options(*names: str) -> str:
    """Some of OUR_PARAMETERS as x264's command line takes them."""
    return " ".join(f"--{name} {OUR_PARAMETERS[name]}" for name in names)

"""Antichess: men are a burden, save that the last ones must not be helpless."""

WEIGHTS = {
    "material": (
        (-90, -120), (-130, -100), (-160, -130), (-250, -150), (-120, -60), (-150, 20),
    ),
    "squares": ((0, 0),) * 192,
}

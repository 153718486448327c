"""Judges pauses by Pipecat's own detectors with their defaults: SileroVADAnalyzer and LocalSmartTurnAnalyzerV3.

The order of calls is that of its TurnAnalyzerUserTurnStopStrategy without the wait for a transcript: the analyzer gets every
frame, and judges when the speech gate has closed. Time is that of the audio.
"""

import asyncio
from importlib.metadata import version

from loguru import logger

logger.remove()

from pipecat.audio.turn.base_turn_analyzer import EndOfTurnState  # noqa: E402
from pipecat.audio.turn.smart_turn.local_smart_turn_v3 import LocalSmartTurnAnalyzerV3  # noqa: E402
from pipecat.audio.vad.silero import SileroVADAnalyzer  # noqa: E402
from pipecat.audio.vad.vad_analyzer import VADState  # noqa: E402
from turn_audio import FRAME_MS, RATE, answer, pauses  # noqa: E402


async def judged(frames, last_ms):
    gate = SileroVADAnalyzer(sample_rate=RATE)
    gate.set_sample_rate(RATE)
    turn = LocalSmartTurnAnalyzerV3(sample_rate=RATE)
    turn.set_sample_rate(RATE)
    turn.update_vad_start_secs(gate.params.start_secs)
    is_speaking = False
    found = {"gate_ms": None, "probability": None, "wait_ms": None}
    for at, frame in enumerate(frames):
        since = (at + 1) * FRAME_MS - last_ms
        state = await gate.analyze_audio(frame)
        # The gate closes before the analyzer gets the frame in which it closed, as the frames of a pipeline do.
        closes = is_speaking and state == VADState.QUIET
        if state == VADState.SPEAKING:
            is_speaking = True
            found = {"gate_ms": None, "probability": None, "wait_ms": None}
        elif state == VADState.QUIET:
            is_speaking = False
        if closes:
            end, metrics = await turn.analyze_end_of_turn()
            found["gate_ms"] = since
            found["probability"] = metrics.probability
            if end == EndOfTurnState.COMPLETE and found["wait_ms"] is None:
                found["wait_ms"] = since
        if turn.append_audio(frame, is_speaking) == EndOfTurnState.COMPLETE and found["wait_ms"] is None:
            found["wait_ms"] = since
        if since > 0 and found["wait_ms"] is not None and not is_speaking:
            break
    await gate.cleanup()
    await turn.cleanup()
    return found


async def main():
    answer(name=f"Pipecat {version('pipecat-ai')}", detail="SileroVADAnalyzer, LocalSmartTurnAnalyzerV3", threshold=0.5)
    for frames, last_ms in pauses():
        answer(**await judged(frames, last_ms))


asyncio.run(main())

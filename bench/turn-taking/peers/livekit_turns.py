"""Judges pauses by the detectors that an AgentSession of LiveKit Agents has by default: its speech gate and its turn detector.

The detector's weights come with the package and may be used inside LiveKit Agents only, as here. The order of calls is that of
its AudioRecognition: the detector judges after 200 ms of silence, and when the gate has closed the turn ends after the session's
`min_delay`, or after `max_delay` where the probability is below the language's threshold. Time is that of the audio.
"""

import asyncio
import logging
from importlib.metadata import version

logging.disable(logging.CRITICAL)

from livekit import rtc  # noqa: E402
from livekit.agents import AgentSession, LanguageCode, vad  # noqa: E402
from turn_audio import FRAME, FRAME_MS, RATE, answer, pauses  # noqa: E402

# The constant of AudioRecognition, and samples of a window of the gate.
JUDGED_AFTER_S = 0.2
WINDOW = 512


class Pause:
    def __init__(self, session, threshold, last_ms):
        self.session = session
        self.threshold = threshold
        self.last_ms = last_ms
        self.turn = session.turn_detection.stream()
        self.is_speaking = False
        self.spoke_at = 0.0
        self.probability = None
        self.gate_ms = None
        self.ends_at = None

    async def heard(self, event):
        now = event.timestamp
        if event.type == vad.VADEventType.START_OF_SPEECH:
            self.is_speaking = True
            self.turn.cancel_inference()
            self.probability = self.ends_at = None
        elif event.type == vad.VADEventType.INFERENCE_DONE:
            if event.raw_accumulated_speech > 0:
                self.spoke_at = now
                if self.is_speaking:
                    self.probability = None
            if event.raw_accumulated_silence >= JUDGED_AFTER_S and self.is_speaking and self.probability is None:
                self.probability = (await self.turn.predict()).end_of_turn_probability
        elif event.type == vad.VADEventType.END_OF_SPEECH:
            self.is_speaking = False
            self.gate_ms = now * 1_000 - self.last_ms
            delays = self.session.options.endpointing
            is_over = self.probability is None or self.probability >= self.threshold
            delay = delays["min_delay"] if is_over else delays["max_delay"]
            self.ends_at = max(now, now - event.silence_duration + delay)

    def found(self):
        wait = None if self.ends_at is None else self.ends_at * 1_000 - self.last_ms
        return {"gate_ms": self.gate_ms, "probability": self.probability, "wait_ms": wait}


async def judged(session, threshold, frames, last_ms):
    gate = session.vad.stream()
    pause = Pause(session, threshold, last_ms)
    windows = 0
    for at, data in enumerate(frames):
        frame = rtc.AudioFrame(data=data, sample_rate=RATE, num_channels=1, samples_per_channel=FRAME)
        pause.turn.push_audio(frame)
        gate.push_frame(frame)
        while windows < (at + 1) * FRAME // WINDOW:
            event = await anext(gate)
            await pause.heard(event)
            windows += event.type == vad.VADEventType.INFERENCE_DONE
        if pause.ends_at is not None and (at + 1) * FRAME_MS >= max(last_ms, pause.ends_at * 1_000):
            break
    await gate.aclose()
    await pause.turn.aclose()
    return pause.found()


async def main():
    session = AgentSession()
    detector = session.turn_detection
    threshold = await detector.unlikely_threshold(LanguageCode("en"))
    answer(
        name=f"LiveKit Agents {version('livekit-agents')}",
        detail=f"{session.vad.model} and {detector.model}",
        threshold=threshold,
    )
    for frames, last_ms in pauses():
        answer(**await judged(session, threshold, frames, last_ms))


asyncio.run(main())

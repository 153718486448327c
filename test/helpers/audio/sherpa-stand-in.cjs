// The API of sherpa-onnx-node that the service uses, with a model that hears tones instead of speech: no model ships here.
const WORDS = ['yes', 'no', 'maybe'];

class OnlineStream {
  heard = [];
  quiet = 0;
  loud = 0;
  waiting = [];
  acceptWaveform({ samples, sampleRate }) {
    if (!(samples instanceof Float32Array) || sampleRate !== 16000) throw new Error('wrong audio');
    this.waiting.push(samples);
  }
}

/** A word for every sound of at least 100 ms; silence of the second rule ends an utterance. */
class OnlineRecognizer {
  constructor(config) {
    this.endSeconds = config.rule2MinTrailingSilence;
  }
  createStream() {
    return new OnlineStream();
  }
  isReady(stream) {
    return stream.waiting.length > 0;
  }
  decode(stream) {
    for (const sample of stream.waiting.shift()) {
      const isLoud = Math.abs(sample) > 0.02;
      if (Number.isNaN(sample) || Math.abs(sample) > 1) throw new Error('samples are not from -1 to 1');
      stream.quiet = isLoud ? 0 : stream.quiet + 1;
      stream.loud = stream.quiet > 800 ? 0 : stream.loud + 1;
      if (stream.loud === 1600) stream.heard.push(WORDS[stream.heard.length % WORDS.length]);
    }
  }
  isEndpoint(stream) {
    return stream.heard.length > 0 && stream.quiet >= this.endSeconds * 16000;
  }
  getResult(stream) {
    return { text: ` ${stream.heard.join(' ')}` };
  }
  reset(stream) {
    stream.heard = [];
  }
}

module.exports = { OnlineRecognizer, OnlineStream };

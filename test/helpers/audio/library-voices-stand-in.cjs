// The API of sherpa-onnx-node for voices: tones instead of speech, 10 ms a character. A net that holds `slow` speaks slower than
// any machine.
const { readFileSync } = require('node:fs');

class OfflineTts {
  constructor({ model }) {
    const { vits, kokoro } = model;
    const files = vits ?? kokoro;
    this.isSlow = readFileSync(files.model).includes('slow');
    readFileSync(files.tokens);
    if (kokoro !== undefined) this.styles = readFileSync(kokoro.voices).toString();
    this.rate = vits === undefined ? 24_000 : 22_050;
  }
  generate({ text, sid, enableExternalBuffer }) {
    if (enableExternalBuffer !== false) throw new Error('the samples belong to the package');
    // The style of a speaker is one letter here, and its loudness.
    const level = this.styles === undefined ? 0.5 : (this.styles.charCodeAt(sid) - 96) / 10;
    const length = this.isSlow ? 1 : Math.round((text.length * this.rate) / 100);
    const samples = Float32Array.from({ length }, (_, i) => level * Math.sin(i / 10));
    return { samples, sampleRate: this.rate };
  }
}

module.exports = { OfflineTts };

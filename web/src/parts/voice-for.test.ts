import { describe, expect, it } from 'vitest';
import { voiceFor, type Voice } from './voice-for.ts';

const voice = (id: string, languages: readonly string[]): Voice => ({
  id,
  name: id,
  languages: [...languages],
  voice_previews: {},
  image_url: '',
  gender: 'female',
  description: '',
  created_at: '',
  updated_at: '',
});
const VOICES = [voice('a', ['en-US']), voice('b', ['en-US', 'hi-IN']), voice('c', ['hi-IN'])];

describe('the voice of a new assistant', () => {
  it('is the first that speaks its languages until one is chosen', () => {
    expect(voiceFor(VOICES, ['en-US'], '')?.id).toBe('a');
    expect(voiceFor(VOICES, ['en-US'], 'b')?.id).toBe('b');
    expect(voiceFor(VOICES, ['en-US', 'hi-IN'], '')?.id).toBe('b');
  });

  it('is no voice that does not speak them, though it was chosen', () => {
    expect(voiceFor(VOICES, ['hi-IN'], 'a')?.id).toBe('b');
    expect(voiceFor(VOICES, ['ta-IN'], 'a')).toBeUndefined();
  });
});

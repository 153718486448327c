import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PRESETS, withPreset } from './presets.ts';
import { inputOf, valuesOf } from './trunk-values.ts';

const guide = readFileSync(resolve(import.meta.dirname, '../../../../docs/sip-carriers.md'), 'utf8');

describe('the presets of carriers', () => {
  it('name hosts and addresses as the guide to carriers has them', () => {
    for (const { values } of PRESETS.filter((preset) => preset.id !== 'pbx')) {
      const host = values.uri!.replace(/^sips?:(example\.)?/, '').replace(/;.*/, '');
      expect(guide).toContain(host);
      for (const range of `${values.allowedSources ?? ''}\n${values.mediaRanges ?? ''}`
        .split('\n')
        .filter(Boolean))
        expect(guide).toContain(range);
    }
  });

  it('fill in the form, and leave the rest as it was', () => {
    const filled = withPreset({ ...valuesOf(null), username: 'me' }, 'twilio');
    expect(inputOf(filled, null)).toMatchObject({
      trunk_name: 'twilio',
      uri: 'sips:example.pstn.twilio.com',
      srtp: 'required',
      username: 'me',
      media_ranges: ['168.86.128.0/18'],
    });
    expect(withPreset(filled, 'nobody')).toEqual(filled);
  });
});

import { expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { rtpHost, withSipAddresses } from './sip-hosts.ts';

const configOf = (hosts: string) => {
  const loaded = loadConfig({ SIP_HOST: hosts }, () => '');
  return loaded.ok ? loaded.config : loaded.problems;
};

it('RTP binds to the one address of SIP, or to all interfaces of the families of several', () => {
  expect(rtpHost(['192.0.2.10'])).toBe('192.0.2.10');
  expect(rtpHost(['::'])).toBe('::');
  expect(rtpHost(['127.0.0.1', '192.0.2.10'])).toBe('0.0.0.0');
  expect(rtpHost(['192.0.2.10', '2001:db8::10'])).toBe('::');
});

it('SIP_HOST names several addresses, each once, and a wildcard alone', () => {
  expect(configOf('192.0.2.10, 2001:db8::10')).toMatchObject({
    sip: { hosts: ['192.0.2.10', '2001:db8::10'] },
  });
  for (const wrong of [',', '192.0.2.10,192.0.2.10', '0.0.0.0,::1', '192.0.2.10,-'])
    expect(configOf(wrong)).toEqual([expect.stringContaining('SIP_HOST')]);
});

it('names lead to addresses, and two of one address listen once', async () => {
  const config = configOf('localhost,127.0.0.1');
  if (Array.isArray(config)) throw new Error(config.join());
  expect((await withSipAddresses(config)).sip.hosts).toContain('127.0.0.1');
});

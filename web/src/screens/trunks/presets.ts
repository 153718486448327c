import type { TrunkValues } from './trunk-values.ts';

/** What a carrier or phone system wants, as docs/sip-carriers.md has it. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  /** What the reader still does at the carrier. */
  readonly advice: string;
  readonly values: Partial<TrunkValues>;
}

export const PRESETS: readonly Preset[] = [
  {
    id: 'twilio',
    name: 'Twilio',
    advice:
      'Put the name of your trunk in place of “example”, and the user and password of its credential list below. Secure trunking must be on.',
    values: {
      name: 'twilio',
      uri: 'sips:example.pstn.twilio.com',
      srtp: 'required',
      allowedSources: '54.172.60.0/30\n54.244.51.0/30\n54.171.127.192/30\n35.156.191.128/30',
      mediaRanges: '168.86.128.0/18',
    },
  },
  {
    id: 'telnyx',
    name: 'Telnyx',
    advice:
      'Enter the user and password of a SIP connection with credentials, and assign an outbound voice profile to it: without one every call is refused.',
    values: { name: 'telnyx', uri: 'sip:sip.telnyx.com;transport=tcp', isRegistered: true },
  },
  {
    id: 'plivo',
    name: 'Plivo',
    advice:
      'Put the domain that Plivo names for your outbound trunk in place of “example”, with its credentials.',
    values: { name: 'plivo', uri: 'sip:example.zt.plivo.com;transport=tcp', callsPerSecond: '2' },
  },
  {
    id: 'exotel',
    name: 'Exotel',
    advice:
      'Put the name of your account in place of “example”. Exotel signs in by the address of this service.',
    values: {
      name: 'exotel',
      uri: 'sip:example.pstn.exotel.com',
      gateways: 'sip:pstn.in2.exotel.com:5070;transport=tcp',
      mediaRanges: '182.76.143.61\n122.15.8.184\n14.194.10.247\n61.246.82.75',
    },
  },
  {
    id: 'pbx',
    name: 'Your own phone system',
    advice: 'Enter its address, and the user and password of an extension for this service.',
    values: { name: 'pbx', uri: 'sip:pbx.example.com', isRegistered: true },
  },
];

/** The form as a carrier wants it: what the preset names replaces what is there. */
export const withPreset = (values: TrunkValues, id: string): TrunkValues => ({
  ...values,
  ...PRESETS.find((preset) => preset.id === id)?.values,
});

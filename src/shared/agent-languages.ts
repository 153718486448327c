/** Languages an agent may be created with (interface, Agent create request). */
export const AGENT_LANGUAGES = [
  'en-US',
  'en-GB',
  'en-AU',
  'en-IN',
  'hi-IN',
  'ta-IN',
  'te-IN',
  'bn-IN',
  'mr-IN',
  'kn-IN',
  'ms-MY',
  'zh-CN',
  'od-IN',
  'pa-IN',
  'my-MM',
] as const;

/** Languages `edit_voice` accepts (interface, PATCH /agent/v1). */
export const EDIT_VOICE_LANGUAGES = [
  'en-US',
  'en-IN',
  'hi-IN',
  'ta-IN',
  'te-IN',
  'kn-IN',
  'mr-IN',
  'gu-IN',
  'ar-AE',
] as const;

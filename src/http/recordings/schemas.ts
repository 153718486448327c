import { Type } from 'typebox';

export const Peaks = Type.Object({
  version: Type.Integer({ example: 2 }),
  channels: Type.Integer({ example: 2 }),
  sample_rate: Type.Integer({ example: 8000 }),
  samples_per_pixel: Type.Integer({ example: 960, description: 'Sample frames per point.' }),
  bits: Type.Integer({ example: 8 }),
  length: Type.Integer({ description: 'Points.' }),
  data: Type.Array(Type.Integer(), {
    description: 'For each point and each channel: minimum and maximum sample, -128 to 127.',
  }),
});

export const AttemptQuery = Type.Object({
  attempt: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 32_767,
      description: 'The attempt whose recording to send; default: the last recorded attempt.',
    }),
  ),
});

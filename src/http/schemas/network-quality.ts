import { Type } from 'typebox';
import { nullable } from './common.ts';

export const NetworkQuality = Type.Object(
  {
    codec: Type.String({ example: 'PCMU' }),
    packets_sent: Type.Integer({ example: 1500 }),
    packets_received: Type.Integer({ example: 1492 }),
    packets_lost: Type.Integer({ example: 8 }),
    loss_percent: Type.Number({ example: 0.53 }),
    packets_late: Type.Integer({ description: 'Came when their place had been played.' }),
    duplicates: Type.Integer(),
    stray_packets: Type.Integer({ description: 'Came from somebody else and were not heard.' }),
    concealed_ms: Type.Integer({ description: 'Audio made up where packets were missing.' }),
    jitter_ms: Type.Number({ example: 4.2 }),
    round_trip_ms: nullable(Type.Number({ example: 38, description: 'By RTCP.' })),
    remote_loss_percent: nullable(Type.Number({ description: 'Of our packets, as the far side reports.' })),
    remote_jitter_ms: nullable(Type.Number({ description: 'Of our packets, as the far side reports.' })),
  },
  { description: 'What RTP and RTCP told of the audio.' },
);

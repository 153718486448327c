import { ApiError, make } from './api-error.ts';

/** Errors of trunks and their carriers. */
export const carrierErrors = {
  trunkNotFound: make(404, 'TRUNK_NOT_FOUND', 'Trunk not found'),
  streamsNowhere: make(
    503,
    'STREAMS_UNAVAILABLE',
    'No process of the installation takes streams of carriers: one needs the roles api and media',
  ),
  noAudioSocket: make(
    503,
    'AUDIOSOCKET_UNAVAILABLE',
    'No process of the installation takes AudioSocket: one with the roles api and media needs AUDIOSOCKET_PORT',
  ),
  carrierHasNoRequest: (kind: string): ApiError =>
    new ApiError(
      409,
      'CARRIER_HAS_NO_REQUEST',
      `The API of ${kind} has no such request that the credentials of the trunk open: add the numbers to the provision file, and copy webhook_url to the carrier by hand`,
    ),
} as const;

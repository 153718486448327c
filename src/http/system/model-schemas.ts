import { Type } from 'typebox';
import { nullable, oneOf } from '../common/schemas.ts';

export const ModelParams = Type.Object({
  model_id: Type.String({ minLength: 1, maxLength: 60, description: 'An id of GET /workspace/models.' }),
});

const Download = Type.Object(
  {
    state: oneOf(['waiting', 'running', 'failed'], {
      description: 'waiting: another download of this process runs first.',
    }),
    file: nullable(Type.String({ description: 'The file that is fetched.', example: 'am/final.mdl' })),
    source: nullable(Type.String({ description: 'The host or package.', example: 'alphacephei.com' })),
    done_bytes: Type.Integer({ description: 'Bytes of the model that are complete.' }),
    total_bytes: Type.Integer(),
    failure: nullable(
      Type.Object(
        { message: Type.String(), advice: Type.String() },
        { description: 'What happened and what to do; null: it has not failed.' },
      ),
    ),
  },
  { description: 'The last download by this process; null: none, or it succeeded.' },
);

const Model = Type.Object({
  id: Type.String({ example: 'vosk-small-en-us' }),
  part: oneOf(['ears', 'voice', 'turn', 'noise', 'meaning', 'library']),
  engine: Type.String({ example: 'Vosk' }),
  languages: Type.Array(Type.String({ example: 'en-US' })),
  bytes: Type.Integer({ description: 'On disk, once it is installed.' }),
  licence: Type.String({ example: 'Apache-2.0' }),
  quality: Type.String(),
  cost: Type.String({ description: 'Processor time and memory.' }),
  improves: nullable(Type.String({ description: 'What calls gain from it; null: no call uses it yet.' })),
  is_pinned: Type.Boolean({
    description: 'The hash of every file is known; of others the first download records it.',
  }),
  runs_here: Type.Boolean({ description: 'It has files for the system of this machine.' }),
  state: oneOf(['absent', 'installed', 'damaged'], {
    description:
      'damaged: files are missing or changed, and nothing of it is loaded until it is fetched again.',
  }),
  download: nullable(Download),
});

export const ModelList = Type.Object({
  in_use: nullable(
    Type.Object(
      {
        ears: Type.String({ example: 'every word of en-US (vosk-small-en-us), else expected phrases' }),
        voices: Type.String({ example: 'espeak-ng and flite' }),
      },
      {
        description:
          'What hears and speaks in calls whose agent and workspace choose nothing, in order; null: the process that answers carries no calls.',
      },
    ),
  ),
  better: nullable(
    Type.String({
      description:
        'What would be better on this machine, with the command that brings it, or that it is on its way; null: the English pack is installed.',
    }),
  ),
  models: Type.Array(Model, {
    description: 'Every model of the catalogue, with its state in MODELS_DIR of the process that answers.',
  }),
});
export const ModelAnswer = Type.Object({ message: Type.String(), model: Model });
export const ModelRemoved = Type.Object({ message: Type.String() });

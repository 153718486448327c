import type { Target } from './target.ts';
import { DOCUMENT_TARGETS } from './targets/agent-document.ts';
import { LIST_TARGETS } from './targets/lists.ts';
import { MEDIA_TARGETS } from './targets/media.ts';
import { REQUEST_TARGETS } from './targets/request-log.ts';
import { S2S_TARGETS } from './targets/s2s.ts';
import { SIP_TARGETS } from './targets/sip.ts';
import { USER_AGENT_TARGETS } from './targets/sip-user-agent.ts';
import { TEXT_TARGETS } from './targets/texts.ts';
import { WAV_TARGETS } from './targets/wav.ts';
import { WEB_CALL_TARGETS } from './targets/web-calls.ts';
import { WHATSAPP_TARGETS } from './targets/whatsapp.ts';

/** Targets that need no database. */
export const TARGETS: readonly Target[] = [
  ...SIP_TARGETS,
  ...USER_AGENT_TARGETS,
  ...MEDIA_TARGETS,
  ...WAV_TARGETS,
  ...WEB_CALL_TARGETS,
  ...LIST_TARGETS,
  ...TEXT_TARGETS,
  ...WHATSAPP_TARGETS,
  ...S2S_TARGETS,
  ...REQUEST_TARGETS,
  ...DOCUMENT_TARGETS,
];

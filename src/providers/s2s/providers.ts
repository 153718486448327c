import { systemScheduler } from '../../shared/clock.ts';
import type { VendorSettings } from '../../vendors/catalogue.ts';
import type { LlmProvider } from '../ports/model.ts';
import type { SttProvider } from '../ports/recogniser.ts';
import type { TtsProvider } from '../ports/voice.ts';
import { ChainedRecogniser } from '../stt/chained.ts';
import { ChainedVoice } from '../tts/chained.ts';
import type { ChainHealth } from '../wire/health.ts';
import { s2sBrain } from './brain.ts';
import { S2sCall, type S2sDeps } from './call.ts';
import type { S2sConversation, S2sVendor } from './dialect.ts';
import { s2sHearing } from './hearing.ts';
import { s2sVoice } from './voice.ts';

/** Name of the offline script engine. */
const OFFLINE = 'offline';

interface Ports {
  readonly stt: SttProvider;
  readonly llm: LlmProvider;
  readonly tts: TtsProvider;
}

/** Recogniser, model and voice of one call. */
interface S2sPorts extends Ports {
  /** Connects while the call rings, for this conversation. */
  ring(conversation: S2sConversation): void;
  /** Closes the connection: the call ended, or was not answered. */
  release(): void;
}

/**
 * The providers of one call at a speech-to-speech vendor. When the vendor fails, `pipeline` takes over within the call and
 * continues the same conversation.
 */
export function s2sProviders(
  vendor: S2sVendor,
  settings: VendorSettings,
  pipeline: Ports,
  health: ChainHealth,
  deps: S2sDeps = {},
): S2sPorts {
  const call = new S2sCall(vendor, settings, deps);
  call.onFault.add((fault) => health.broke(vendor.name, fault));
  /** With only the script engine behind it, a vendor that failed in an earlier call gets one probe per call. */
  let isAsked: boolean | null = null;
  const mayAsk = (): boolean => {
    if (call.fault !== null || pipeline.llm.name !== OFFLINE) return false;
    isAsked ??= health.asksAgain(vendor.name);
    return isAsked;
  };
  // A chain may detect the fault first, by its own time limits.
  const shared: ChainHealth = {
    broke(name, fault) {
      if (name === vendor.name) call.giveUp(fault);
      else health.broke(name, fault);
    },
    failed: (fault) => health.failed(fault),
    worked: (name) => health.worked(name),
    returned: (name) => health.returned(name),
    mayAsk,
    asksAgain: mayAsk,
    fault: (name) => health.fault(name),
    brokenBy: (name) => health.brokenBy(name),
  };
  const { scheduler = systemScheduler } = deps;
  const chain = { health: shared, scheduler };
  return {
    stt: new ChainedRecogniser([s2sHearing(call, scheduler), pipeline.stt], chain),
    llm: s2sBrain(call, pipeline.llm, chain),
    tts: new ChainedVoice([s2sVoice(call, pipeline.tts), pipeline.tts], chain),
    ring(conversation) {
      if (health.brokenBy(vendor.name) === null || mayAsk()) call.ring(conversation);
    },
    release: () => call.close(),
  };
}

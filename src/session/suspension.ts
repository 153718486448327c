interface SuspensionDeps {
  /** The caller talks to a transfer target, without the agent. */
  isConnected(): boolean;
  /** A hold is over: what sounded before it counts for nothing. */
  listenAgain(at: number): void;
  /** From now on only the conversation's cap and timeouts apply, or it goes on. */
  onChanged(isSuspended: boolean, at: number): void;
}

/** Whether a conversation is suspended: either side is on hold, or the caller talks to a transfer target. */
export class Suspension {
  readonly #deps: SuspensionDeps;
  #isSuspended = false;
  #holdsUs = false;
  #holdsFarSide = false;

  constructor(deps: SuspensionDeps) {
    this.#deps = deps;
  }

  /** The far side has put us on hold. */
  get holdsUs(): boolean {
    return this.#holdsUs;
  }

  /** We have put the far side on hold. */
  get holdsFarSide(): boolean {
    return this.#holdsFarSide;
  }

  get isSuspended(): boolean {
    return this.#holdsUs || this.#holdsFarSide || this.#deps.isConnected();
  }

  /** The far side waits for us and takes music. */
  get playsMusic(): boolean {
    return this.#holdsFarSide && !this.#holdsUs && !this.#deps.isConnected();
  }

  holdUs(isHeld: boolean, at: number): void {
    if (isHeld === this.#holdsUs) return;
    this.#holdsUs = isHeld;
    this.#held(isHeld, at);
  }

  holdFarSide(isHeld: boolean, at: number): void {
    if (isHeld === this.#holdsFarSide) return;
    this.#holdsFarSide = isHeld;
    this.#held(isHeld, at);
  }

  /** The caller was connected to a transfer target, or is with the agent again. */
  follow(at: number): void {
    const { isSuspended } = this;
    if (isSuspended === this.#isSuspended) return;
    this.#isSuspended = isSuspended;
    this.#deps.onChanged(isSuspended, at);
  }

  #held(isHeld: boolean, at: number): void {
    if (!isHeld) this.#deps.listenAgain(at);
    this.follow(at);
  }
}

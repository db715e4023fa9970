/** Stops a session. The signal is created on first use, because most sessions do not need it. */
export class StopSwitch {
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  get stopped(): boolean {
    return this.#reason !== undefined;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  stop(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }
}

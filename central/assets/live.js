// One stream from central, watched. A browser leaves a silent stream "open" for ever, so silence
// itself is the sign: no event for six seconds means that what is on the screen is old.
const SILENT_MS = 6000;
const DELAY_MIN_MS = 1000;
const DELAY_MAX_MS = 30000;
const OFFSETS_KEPT = 12;

export class Live {
  /**
   * @param {string} path where events come from
   * @param {{snapshot: Function, event: Function, stale: Function}} on what to do with them
   */
  constructor(path, on) {
    this.path = path;
    this.on = on;
    this.source = null;
    this.seq = null;
    this.delayMs = DELAY_MIN_MS;
    /** Last event of any connection: what staleness is measured from. */
    this.heardAt = performance.now();
    /** Opening of this connection: it gets its own six seconds. */
    this.openedAt = this.heardAt;
    this.reopenAt = null;
    this.stale = false;
    /** Central's clock less this page's: the sample that travelled fastest is the truest. */
    this.offsets = [];
  }

  start() {
    this.open();
    setInterval(() => this.watch(), 250);
    addEventListener("online", () => this.reopen(0));
    document.addEventListener("visibilitychange", () => this.watch());
  }

  /** Central's time, in milliseconds, or null before the first sample. */
  now() {
    return this.offsets.length ? performance.now() + Math.max(...this.offsets) : null;
  }

  open() {
    this.close();
    this.reopenAt = null;
    this.openedAt = performance.now();
    const source = new EventSource(this.path);
    this.source = source;
    const hear = (name, act) => source.addEventListener(name, (event) => {
      if (source !== this.source) return;
      let data;
      try {
        data = JSON.parse(event.data);
      } catch {
        return this.reopen(this.nextDelay());
      }
      this.heardAt = performance.now();
      act(data);
    });
    hear("snapshot", (data) => {
      this.offsets = [];
      this.sample(data.central_ms);
      this.seq = data.seq;
      this.delayMs = DELAY_MIN_MS;
      this.stale = false;
      this.on.snapshot(data);
    });
    hear("hb", (data) => {
      this.sample(data.central_ms);
      // A heartbeat repeats the number of the last event: another one means that something was missed.
      if (this.seq !== null && data.seq !== this.seq) this.reopen(this.nextDelay());
    });
    for (const name of ["draw", "ball"]) {
      hear(name, (data) => {
        if (this.seq === null) return;
        if (data.seq !== this.seq + 1) return this.reopen(0);
        this.seq = data.seq;
        this.on.event(name, data);
      });
    }
  }

  sample(centralMs) {
    if (!Number.isFinite(centralMs)) return;
    this.offsets.push(centralMs - performance.now());
    if (this.offsets.length > OFFSETS_KEPT) this.offsets.shift();
  }

  nextDelay() {
    const delayMs = this.delayMs * (1 + Math.random() / 2);
    this.delayMs = Math.min(DELAY_MAX_MS, this.delayMs * 2);
    return delayMs;
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  /** Closes the stream and opens another after `delayMs`, for a new snapshot. */
  reopen(delayMs) {
    this.close();
    this.seq = null;
    this.reopenAt = performance.now() + delayMs;
  }

  watch() {
    const now = performance.now();
    if (now - this.heardAt > SILENT_MS && !this.stale) {
      this.stale = true;
      this.on.stale();
    }
    if (this.reopenAt !== null) {
      if (now >= this.reopenAt) this.open();
    } else if (!this.source || this.source.readyState === 2
      || now - Math.max(this.heardAt, this.openedAt) > SILENT_MS) {
      this.reopen(this.nextDelay());
    }
  }
}

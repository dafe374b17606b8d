// Something others can listen to.

export type Stop = () => void;

export class Signal<T> {
  private readonly listeners = new Set<(value: T) => void>();

  listen(listener: (value: T) => void): Stop {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  send(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}

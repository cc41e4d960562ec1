// What fails below it is said, and the rest of the page goes on.
import { Component, type ComponentChildren } from 'preact';
import { Failure } from './Status';

export class Guard extends Component<{ children?: ComponentChildren }, { failed: string }> {
  override state = { failed: '' };

  static override getDerivedStateFromError(error: Error): { failed: string } { return { failed: error.message || String(error) }; }

  override componentDidCatch(error: Error): void { console.error(error); }

  override render() {
    return this.state.failed ? <Failure text={`This part of the page failed: ${this.state.failed}`} /> : this.props.children;
  }
}

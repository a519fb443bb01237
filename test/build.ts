import { execFileSync } from 'node:child_process';

/** Vitest global set-up: thread, command and package tests run the built `dist`. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}

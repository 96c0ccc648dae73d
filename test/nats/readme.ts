import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the README says of NATS, to be held to its word. */
const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')

/** The program that reads one company's events, as it stands there. */
export const readmeConsumer = (): string => /```js\n(.*?PAY_EVENTS.*?)```/s.exec(readme)![1]!

/** The subjects that it lists after these words, for the permissions of a server's configuration. */
export const subjectsAfter = (words: string): readonly string[] => {
  const text = readme.replaceAll('\n', ' ')
  const rest = text.slice(text.indexOf(words) + words.length)
  const listed = /^(?: |,|and|`[^`]*`)*/.exec(rest)![0]
  return [...listed.matchAll(/`([^`]+)`/g)].map(([, subject]) => subject!)
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the documentation says of NATS, to be held to its word. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/en/nats.md'), 'utf8')

/** The program that reads one company's events, as it stands there. */
export const documentedConsumer = (): string => /```js books\.mjs\n(.*?)```/s.exec(page)![1]!

/** The subjects on which somebody may publish, for the permissions of a server's configuration. */
export const subjectsOf = (who: 'the service' | 'the reader above'): readonly string[] => {
  const row = page.split('\n').find((line) => line.startsWith(`| ${who} |`))!
  return [...row.split('|')[2]!.matchAll(/`([^`]+)`/g)].map(([, subject]) => subject!)
}

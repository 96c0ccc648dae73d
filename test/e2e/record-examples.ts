import { writeFileSync } from 'node:fs'
import { examplesFile } from '../../gateway/openapi/examples.ts'
import { playStory } from './examples/play.ts'
import { prepareDirectory } from './prepared.ts'
import type { Scope } from './service.ts'

/** Records the examples of the OpenAPI document anew. */
const ends: (() => unknown)[] = []
const scope: Scope = { teardown: (end) => void ends.push(end) }
const examples = await playStory(scope, await prepareDirectory(scope, { shards: 2 }))
writeFileSync(examplesFile, `${JSON.stringify(examples, null, 1)}\n`)
for (const end of ends.reverse()) await end()

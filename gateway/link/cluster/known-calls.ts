import { isKnown } from '../../../engine/engine.ts'
import type { Command, Query } from '../../../engine/kernel/registry.ts'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import type { Kind, Serve } from '../link.ts'

/**
 * Serves what this build knows. A node of another build may ask for more: it hears that in words, and nothing was done.
 */
export const servingKnown =
  (serve: Serve): Serve =>
  (kind, message, to) => {
    const asked = message as Command | Query
    if (kind !== 'serve' && (!knownKinds.has(kind) || !isKnown(asked)))
      throw new ShardUnavailable(`a node of another version does not know ${kind} ${asked.type}`)
    serve(kind, message, to)
  }

const knownKinds: ReadonlySet<Kind> = new Set(['execute', 'query'])

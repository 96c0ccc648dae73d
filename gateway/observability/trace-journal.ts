import type { Journal } from '../../engine/kernel/ports.ts'
import type { Tracing } from './tracing.ts'

/** Wraps a journal so that the wait for the disk or quorum of each traced entry becomes a span. */
export const traceJournal = <Traced extends Journal>(
  journal: Traced,
  begin: Tracing['begin'],
  shard: number,
): Traced => ({
  ...journal,
  append: (entry) => {
    const sequence = journal.append(entry)
    const { traceparent } = entry
    if (traceparent === undefined) return sequence
    const attributes = { 'payments.shard': shard, 'payments.sequence': sequence }
    const span = begin({ name: 'journal flush', kind: 'INTERNAL', parent: traceparent, attributes })
    journal.whenFlushed(sequence, {
      resolve: () => span.end({}),
      reject: (error) => span.end({}, (error as Error).name),
    })
    return sequence
  },
})

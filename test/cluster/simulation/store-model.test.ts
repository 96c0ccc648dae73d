import { join } from 'node:path'
import t from 'tap'
import { openReplicaStore } from '../../../persistence/cluster/replica-store.ts'
import { unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { text } from '../../../persistence/codec/layout.ts'
import { emptyDisk, openStoreModel } from './store-model.ts'
import { type StoreBench, storePromises } from './store-promises.ts'

const modelBench = (): StoreBench => {
  const disk = emptyDisk()
  return {
    open: () => {
      const store = openStoreModel(disk, {
        commitLater: (commit, done) =>
          setImmediate(() => {
            commit()
            done()
          }),
        fails: () => false,
        written: () => undefined,
      })
      return { store, entries: store.entries }
    },
  }
}

const realBench = (path: string): StoreBench => ({
  open: () => {
    const store = openReplicaStore(path)
    const entries = (): readonly string[] =>
      [...store.batches.from(1, store.batches.last())].flatMap(({ first, last, bytes }) =>
        Array.from({ length: last - first + 1 }, (_, n) => unpackFromBatch<string>(text(), bytes, n)),
      )
    return { store, entries }
  },
})

t.test('the model of a store', async (t) => {
  for (const { title, check } of storePromises) await t.test(title, (t) => check(t, modelBench()))
})

t.test('a store on a disk', async (t) => {
  for (const [n, { title, check }] of storePromises.entries())
    await t.test(title, (t) => check(t, realBench(join(t.testdir(), `log-${n}`))))
})

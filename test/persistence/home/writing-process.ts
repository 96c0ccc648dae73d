import { join } from 'node:path'
import { openEnvironment } from '../../../persistence/disk/environment.ts'
import { lendReads } from '../../../persistence/home/lend.ts'

/**
 * A process that writes an environment without a pause, as a service under load does: each commit replaces all rows by the commit's number,
 * and adds one row that stays. `close` closes the environment and opens it again; any other message ends it.
 */
const [, , dataDir] = process.argv
const path = join(dataDir!, 'env')
const rowCount = 40

const open = () => openEnvironment<number>({ path })
let root = open()
const stopLending = await lendReads(dataDir!)
let commits = 0
const wishes = { isOver: false, reopens: false }
process.on('message', (message) => {
  if (message === 'reopen') wishes.reopens = true
  else wishes.isOver = true
})
while (!wishes.isOver) {
  if (wishes.reopens) {
    await root.close()
    root = open()
    wishes.reopens = false
    process.send!('reopened')
  }
  commits += 1
  const value = Buffer.alloc(300)
  value.writeUInt32LE(commits)
  const puts = Array.from({ length: rowCount }, (_, row) => root.put(row, value))
  await Promise.all([...puts, root.put(1000 + commits, value)])
  if (commits === 1) process.send!('ready')
}
let lost = 0
for (let commit = 1; commit <= commits; commit++) if (root.get(1000 + commit) === undefined) lost += 1
await root.close()
await stopLending()
process.send!({ commits, lost })
process.disconnect()

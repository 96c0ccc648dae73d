import { statfsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem } from 'node:os'

/** The facts about a machine that its numbers depend on. */
export const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  kernel: release(),
  node: process.version,
  /** The file system of data directories; on a tmpfs a flush costs nothing, and the numbers mean nothing. */
  fileSystem: fileSystemNames.get(statfsSync(tmpdir()).type) ?? 'other',
  /** Runnable processes in the minute before: how much else goes on. */
  loadBefore: loadavg()[0]!,
})

const fileSystemNames = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x01021994, 'tmpfs'],
  [0x794c7630, 'overlay'],
])

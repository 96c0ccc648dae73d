import { statfsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem } from 'node:os'

/** What has to be known of a machine to read its numbers. */
export const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  kernel: release(),
  node: process.version,
  /** Where data directories are; on a tmpfs a flush costs nothing, and no number is worth anything. */
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

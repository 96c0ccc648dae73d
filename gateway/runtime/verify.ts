import { setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { type BackupEnds, readAbout } from '../../persistence/backup/about.ts'
import { sourceOf } from '../../persistence/backup/chain.ts'
import { mendArchives } from '../../persistence/backup/mend-archive.ts'
import { BackupRefusal } from '../../persistence/backup/refusal.ts'
import { openStoredDirectory, type StoredDirectory } from '../../persistence/home/data-directory.ts'
import { repairAll } from '../../persistence/verify/repair.ts'
import { verifyStoredDirectory } from '../../persistence/verify/verify.ts'
import type { Verify } from '../operator/command-line/commands/verify.ts'
import { openProgressLine, progressText } from '../operator/command-line/output/progress-line.ts'
import { wrap } from '../operator/command-line/output/table.ts'
import { paint, type Style, standardOutput } from '../operator/command-line/output/terminal.ts'

/** Checks a data directory, also beside the service that uses it, and prints what is wrong. */
export const verify: Verify = async (dataDir, { json, repair, from, since }) => {
  const path = resolve(dataDir)
  const data = await openStoredDirectory(path, repair ? 'STOPPED' : 'LOOK')
  const earlier = since === null ? null : earlierEnds(resolve(since), data)
  // The running service has priority.
  if (data.isInUse) setPriority(10)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const line = openProgressLine(!json)
  const look = () =>
    verifyStoredDirectory(
      data,
      process.env.MASTER_KEY_FILE ?? join(path, 'master.key'),
      (progress) => line.show(progressText(progress)),
      { since: earlier },
    )
  let report = await look()
  const mended =
    repair && from.length > 0
      ? await mendArchives(
          data,
          from.map((backup) => resolve(backup)),
        )
      : []
  // What is mended needs no other repair.
  if (mended.length > 0) report = await look()
  const remade = repair ? await repairAll(report.problems) : []
  if (remade.length > 0) report = await look()
  const repaired = [...mended, ...remade]
  line.end()
  await data.release()
  const { shards, entries, transactions, digests } = report
  const problems = report.problems.map(({ text }) => text)
  if (json) {
    console.log(JSON.stringify({ shards, entries, transactions, digests, problems, repaired }))
    return problems.length === 0
  }
  for (const text of repaired) printLine('REPAIRED', 'green', text)
  for (const text of problems) printLine('PROBLEM', 'red', text)
  console.log(`${shards} shards, ${entries} entries, ${transactions} transactions`)
  console.log(
    problems.length === 0 ? 'sound' : problems.length === 1 ? '1 problem' : `${problems.length} problems`,
  )
  return problems.length === 0
}

/** Where the logs of a data directory ended when this backup of it was made. Throws `BackupRefusal` for one of another directory. */
const earlierEnds = (backup: string, { path, manifest }: StoredDirectory): BackupEnds['shards'] => {
  const about = readAbout(backup)
  if (sourceOf(about) !== sourceOf({ of: manifest }))
    throw new BackupRefusal(
      `${backup} is a backup of ${sourceOf(about)}, and ${path} is ${sourceOf({ of: manifest })}`,
    )
  return about.ends.shards
}

/** One line, which stays whole in a file and in a pipe; a terminal shows it under its label. */
const printLine = (label: string, style: Style, text: string): void => {
  const terminal = standardOutput()
  const indent = ' '.repeat(label.length + 1)
  const lines = process.stdout.isTTY ? wrap(text, terminal.columns - indent.length) : [text]
  console.log(`${paint(terminal, style, label)} ${lines.join(`\n${indent}`)}`)
}

import type { Command } from 'commander'

/** Prints the findings; resolves to whether the data directory is sound now. */
export type Verify = (
  dataDir: string,
  options: {
    readonly json: boolean
    readonly repair: boolean
    readonly from: readonly string[]
    readonly since: string | null
  },
) => Promise<boolean>

/** `payments verify DATA_DIR`. */
export const addVerifyCommand = (program: Command, verify: Verify, isJson: () => boolean): void => {
  program
    .command('verify')
    .argument('<DATA_DIR>', 'a data directory; a service may be running on it')
    .description(
      'read every byte of a data directory, name every damage, and check that state, ledger and indexes agree with the journal',
    )
    .option('--repair', 'make again what can be made again; the service must be stopped')
    .option('--from <BACKUP...>', 'with --repair: backups from which files of an archive are written again')
    .option('--since <BACKUP>', 'read only what came after this backup, and check that it continues there')
    .action(
      async (
        path: string,
        {
          repair = false,
          from = [],
          since = null,
        }: { readonly repair?: boolean; readonly from?: readonly string[]; readonly since?: string | null },
      ) => {
        if (!(await verify(path, { json: isJson(), repair, from, since }))) process.exitCode = 1
      },
    )
}

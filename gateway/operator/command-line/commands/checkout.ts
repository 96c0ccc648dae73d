import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { CommandContext } from '../command.ts'
import { print } from '../output/print.ts'
import { CommandFailure } from '../service.ts'

/** `payments checkout …`. */
export const addCheckoutCommands = (program: Command, { service, isJson }: CommandContext): void => {
  program
    .command('checkout')
    .description('the pages where payers pay')
    .command('attest')
    .description('list the scripts, styles and policies of the pages where payers pay, signed, for PCI DSS')
    .option(
      '--verify <file>',
      'check what --json printed once: its signature, and whether the pages are still so',
    )
    .action(async ({ verify }: { readonly verify?: string }) => {
      const input = verify === undefined ? {} : { verify: readAttestation(verify) }
      const answer = await service.ask('checkout attest', input)
      print(answer, isJson())
      if (verify !== undefined && !isAsItWas(answer)) process.exitCode = 1
    })
}

const readAttestation = (file: string): unknown => {
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure(`${file} is not JSON`)
  }
}

const isAsItWas = ({ signature, signer, changed }: Readonly<Record<string, unknown>>): boolean =>
  signature === 'VALID' && signer === 'THIS_SERVICE' && (changed as readonly string[]).length === 0

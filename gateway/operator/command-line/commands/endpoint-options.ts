import { type Command, InvalidArgumentError, Option } from 'commander'
import { endpointSignatures } from '../../../../engine/companies/endpoint.ts'
import { bounds } from '../../../base/bounds.ts'
import { isOwnName, isOwnValue } from '../../../webhooks/own-headers.ts'
import type { Options } from '../command.ts'

/** Adds the options of an endpoint that a receiver may do without (decisions, section 28). */
export const withEndpointOptions = (command: Command): Command =>
  command
    .option('--extra-events', 'types beyond those that every endpoint receives, too: payment.refund_failed')
    .addOption(
      new Option(
        '--signature <kind>',
        'standard-webhooks: headers that the libraries of Standard Webhooks verify, beside our own',
      ).choices(endpointSignatures),
    )
    .option(
      '--header <line>',
      'a header of your own that every attempt sends, "Name: value"; up to five times; "Name:" takes one away',
      headersWith,
    )

/** The input of an operation on an endpoint: what the command calls `header` is `headers` there. */
export const endpointInput = ({ header, ...others }: Options): object => ({
  ...others,
  ...(header !== undefined && { headers: header }),
})

/** Headers by name; null for one that is taken away. */
export type HeaderOptions = Readonly<Record<string, string | null>>

const headersWith = (line: string, before: HeaderOptions = {}): HeaderOptions => {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).trim()
  const value = line.slice(colon + 1).trim()
  if (colon === -1 || !isOwnName(name))
    throw new InvalidArgumentError(
      'Write "Name: value", with a name that is not one of ours or of the connection.',
    )
  if (value !== '' && !isOwnValue(value))
    throw new InvalidArgumentError(
      `The value has at most ${bounds.ownHeaderCharsMax} visible ASCII characters.`,
    )
  return { ...before, [name]: value === '' ? null : value }
}

import { assert } from '../../engine/shared/assert.ts'
import { apiPix } from './api-pix/module.ts'
import { bancoDoBrasil } from './api-pix/profiles/banco-do-brasil.ts'
import { efi } from './api-pix/profiles/efi.ts'
import { inter } from './api-pix/profiles/inter.ts'
import { itau } from './api-pix/profiles/itau.ts'
import { sicoob } from './api-pix/profiles/sicoob.ts'
import type { ProviderModule } from './port.ts'

/**
 * The banks that accounts in Production can be connected to, one line each, by their names. `payments connections create` makes a
 * connection, and names its module.
 */
export const modules: Readonly<Record<string, ProviderModule>> = byName(
  ...[bancoDoBrasil, itau, sicoob, inter, efi].map(apiPix),
)

/** Modules by their names. Throws if two have the same one. */
export function byName(...all: readonly ProviderModule[]): Readonly<Record<string, ProviderModule>> {
  const named = Object.fromEntries(all.map((module) => [module.name, module]))
  assert(Object.keys(named).length === all.length, 'every module has a name of its own')
  return named
}

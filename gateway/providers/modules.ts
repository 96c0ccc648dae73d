import { apiPix } from './api-pix/module.ts'
import { bancoDoBrasil } from './api-pix/profiles/banco-do-brasil.ts'
import { efi } from './api-pix/profiles/efi.ts'
import { inter } from './api-pix/profiles/inter.ts'
import { itau } from './api-pix/profiles/itau.ts'
import { sicoob } from './api-pix/profiles/sicoob.ts'
import type { ProviderModule } from './port.ts'

/** The banks that companies can connect to, one line each, by their names. */
export const modules: Readonly<Record<string, ProviderModule>> = Object.fromEntries(
  [bancoDoBrasil, itau, sicoob, inter, efi].map((profile) => [profile.name, apiPix(profile)]),
)

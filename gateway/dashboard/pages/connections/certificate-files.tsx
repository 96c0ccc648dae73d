import { t } from '../../core/language.ts'
import { OffButton } from '../../parts/buttons.tsx'
import { base64Of, FileField } from '../../parts/files.tsx'
import { useFormAround, useShown, type Values } from '../../parts/form.tsx'
import { saying } from './connection-texts.tsx'

/** The settings that files of a certificate fill. */
const parts = ['certificate', 'privateKey', 'pfx'] as const
type Part = (typeof parts)[number]

/** Beside each part its file's name, and beside all of them the name of one that is neither. */
const nameOf = (part: Part): string => `file of ${part}`
const unread = 'file unread'

/**
 * The files of a certificate, whichever of its forms a bank gives: what each holds is read here, so that people need not know which setting
 * it is. What they hold is never shown.
 */
export const CertificateFiles = ({ isOptional = false }: { isOptional?: boolean }) => {
  const form = useFormAround()
  const { values, set, errorOf } = form
  for (const part of parts) useShown(form, `settings.${part}`)
  const error =
    (values[unread] && saying.filesUnread(values[unread])) ||
    parts.map((part) => errorOf(`settings.${part}`)).find((found) => found !== null) ||
    null
  const found = parts.filter((part) => values[`settings.${part}`])
  const take = async (files: readonly File[]): Promise<void> => {
    set(unread, '')
    for (const file of files) {
      const read = await partsIn(file)
      if (Object.keys(read).length === 0) set(unread, file.name)
      for (const [part, text] of Object.entries(read) as [Part, string][]) {
        set(`settings.${part}`, text)
        set(nameOf(part), file.name)
      }
    }
  }
  return (
    <fieldset class="field certificate-files">
      <legend>
        {saying.files}
        {isOptional && <span class="optional">{t.common.optional}</span>}
      </legend>
      {found.length > 0 && (
        <ul class="files">
          {found.map((part) => (
            <li key={part}>
              {saying.foundIn(saying.found[part], values[nameOf(part)]!)}{' '}
              <OffButton
                name={`${t.common.remove} ${saying.found[part]}`}
                onClick={() => set(`settings.${part}`, '')}
              />
            </li>
          ))}
        </ul>
      )}
      <FileField
        label={saying.chooseFiles}
        accept={saying.filesAccept}
        multiple
        error={error}
        hint={saying.filesHint}
        take={take}
      />
    </fieldset>
  )
}

/** What is missing among the files, at the setting that it is; a bank takes a certificate with its key in one of two forms. */
export const certificateErrors = (values: Values, isRequired: boolean): Record<string, string | null> => {
  const [certificate, key, pfx] = parts.map((part) => values[`settings.${part}`])
  if (pfx) return {}
  if (certificate && !key) return { 'settings.privateKey': saying.filesKeyMissing }
  if (key && !certificate) return { 'settings.certificate': saying.filesCertificateMissing }
  return { 'settings.certificate': isRequired && !certificate ? saying.filesMissing : null }
}

const partsIn = async (file: File): Promise<Partial<Record<Part, string>>> => {
  const text = await file.text()
  const blocks = text.match(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g) ?? []
  const ofKind = (kind: RegExp): string => blocks.filter((block) => kind.test(block)).join('\n')
  const certificate = ofKind(/^-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/)
  const privateKey = ofKind(/^-----BEGIN [A-Z ]*PRIVATE KEY-----/)
  if (certificate || privateKey)
    return { ...(certificate && { certificate }), ...(privateKey && { privateKey }) }
  return /\.(p12|pfx)$/i.test(file.name) && isDer(file, text) ? { pfx: await base64Of(file) } : {}
}

/** PKCS #12 is DER, which begins with a sequence. */
const isDer = ({ size }: File, text: string): boolean => size > 0 && text.startsWith('0')

import { useId } from 'preact/hooks'
import { count } from '../core/format.ts'
import { t } from '../core/language.ts'
import { Button } from './basics.tsx'

/** The size that a request has left beside a long text. */
const bytesMax = 30 * 1024
const filesMax = 3

/** Whether the files exceed the number or size that a request may carry. */
export const filesTooBig = (files: readonly File[]): boolean =>
  files.length > filesMax || files.reduce((sum, { size }) => sum + size, 0) > bytesMax

type FileListProps = {
  files: readonly File[]
  onChange: (files: readonly File[]) => void
  error: string | null
}

/** The evidence files of a dispute, with buttons to remove each and to add more. */
export const FileList = ({ files, onChange, error }: FileListProps) => {
  const id = useId()
  return (
    <div class="field">
      {files.length > 0 && (
        <ul class="files">
          {files.map((file) => (
            <li key={`${file.name} ${file.lastModified}`}>
              {file.name} ({count(Math.ceil(file.size / 1024))} KB){' '}
              <Button onClick={() => onChange(files.filter((other) => other !== file))}>
                {t.disputes.removeFile(file.name)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {files.length < filesMax && (
        <FileButton
          label={t.disputes.addFile}
          accept="application/pdf,image/png,image/jpeg"
          multiple
          describedBy={id}
          take={(added) => onChange([...files, ...added].slice(0, filesMax))}
        />
      )}
      <p id={id} class={error === null ? 'hint' : 'field-error'}>
        {t.disputes.filesHint}
      </p>
    </div>
  )
}

/** A button that opens the choice of files; the same file may be chosen twice in a row. */
export const FileButton = ({
  label,
  accept,
  multiple = false,
  describedBy,
  isInvalid = false,
  take,
}: {
  label: string
  accept: string
  multiple?: boolean
  /** The id of what says more about it. */
  describedBy: string
  isInvalid?: boolean
  take: (files: readonly File[]) => Promise<void> | void
}) => (
  <label class="button plain file-button">
    {label}
    <input
      type="file"
      multiple={multiple}
      class="visually-hidden"
      accept={accept}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      onChange={(event) => {
        const input = event.currentTarget
        void Promise.resolve(take([...(input.files ?? [])])).finally(() => {
          input.value = ''
        })
      }}
    />
  </label>
)

/** The button in a field of a form, with what is wrong and a hint below it. */
export const FileField = ({
  error,
  hint,
  ...button
}: Omit<Parameters<typeof FileButton>[0], 'describedBy' | 'isInvalid'> & {
  error: string | null
  hint: string
}) => {
  const id = useId()
  return (
    <>
      <FileButton
        {...button}
        isInvalid={error !== null}
        describedBy={error === null ? `${id}-hint` : `${id}-error ${id}-hint`}
      />
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </>
  )
}

/** A file in base64, as requests carry it. */
export const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

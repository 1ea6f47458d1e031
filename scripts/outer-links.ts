/** Links of a page that goes into a package: those to files outside the package would lead nowhere. */
import path from "node:path";

const LINK = /!?\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)([^)\s]*)\)/g;

interface PackedPage {
  /** Folder of the page in the repository, such as `packages/core`. */
  readonly folder: string;
  /** Whether the package has a file of the repository. */
  readonly has: (file: string) => boolean;
  /** Returns where the package has a copy of a file, for pages that lie elsewhere in the repository. */
  readonly copyOf?: (file: string) => string | undefined;
  /** Address of the files of the repository, if it is known. */
  readonly address?: string | undefined;
}

/** Replaces each link to a file outside the package: by its address, or by words that name the file. */
export function withoutOuterLinks(text: string, { folder, has, copyOf, address }: PackedPage): string {
  return text.replaceAll(LINK, (link: string, title: string, target: string, anchor: string) => {
    const file = path.posix.join(folder, target);
    if (has(file)) return link;
    const copy = copyOf?.(file);
    if (copy !== undefined) return `[${title}](${copy}${anchor})`;
    return address === undefined
      ? `${title} (\`${file}\` in the repository)`
      : `[${title}](${address}/${file}${anchor})`;
  });
}

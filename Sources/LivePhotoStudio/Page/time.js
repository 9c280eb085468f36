// Times and numbers as people read and write them.
import { language } from "./words.js";

const formats = new Map();

/** A number in the page's language. */
export function number(value, least = 0, most = least) {
  const key = `${least} ${most}`;
  if (!formats.has(key)) {
    formats.set(key, new Intl.NumberFormat(language,
      { minimumFractionDigits: least, maximumFractionDigits: most, useGrouping: false }));
  }
  return formats.get(key).format(value);
}

/** `4.50`, or `1:02.50` and `1:00:02.50` from a minute on. */
export function clock(seconds, digits = 2) {
  const unit = 10 ** digits;
  const total = Math.round(Math.max(seconds, 0) * unit) / unit;
  const rest = total % 60;
  if (total < 60) return number(rest, digits);
  const minutes = Math.floor(total / 60);
  const tail = `${rest < 9.9999 ? "0" : ""}${number(rest, digits)}`;
  if (minutes < 60) return `${minutes}:${tail}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${tail}`;
}

/**
 * Seconds from `4.5`, `4,5 s`, `1:02.5` or `1:00:02`.
 *
 * @returns {number} NaN for anything that is no time.
 */
export function parseTime(text) {
  const parts = text.trim().replace(/\s*s$/i, "").replace(",", ".").split(":");
  if (parts.length > 3) return NaN;
  if (!parts.every((part, index) => /^\d*\.?\d*$/.test(part) && /\d/.test(part)
    && (index + 1 === parts.length || !part.includes(".")))) {
    return NaN;
  }
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** A decimal number as on the command line, without zeros at the end of its fraction. */
export function plain(value, digits = 6) {
  const text = value.toFixed(digits);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** As `plain`, never more than the value. */
export function plainDown(value, digits) {
  const unit = 10 ** digits;
  return plain(Math.floor(value * unit + 1e-6) / unit, digits);
}

/** A file's size. */
export function size(bytes) {
  if (bytes < 1e6) return `${number(Math.max(1, Math.round(bytes / 1e3)))} kB`;
  if (bytes < 1e9) return `${number(bytes / 1e6, 1)} MB`;
  return `${number(bytes / 1e9, 2)} GB`;
}

/** Whether a UTF-16 unit may stand in a name: letters, digits and `_`, and anything beyond ASCII. */
export const isWordUnit = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122) || unit > 127;

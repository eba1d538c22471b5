import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import jflex.IntCharSet;
import jflex.unicode.UnicodeProperties;

/**
 * Prints envs/engines/text-search/word-break-data.ts: the properties of every code point that Lucene 8.11's StandardTokenizer
 * looks at. Word break, script, block and line break are those of Unicode 9.0 (by JFlex), emoji those of Unicode 11.0 (by ICU).
 */
public final class MakeWordBreakData {
  private record Property(String name, IntPredicate holds) {}

  public static void main(String[] arguments) throws Exception {
    List<Property> properties = properties();
    Map<String, List<int[]>> ranges = new TreeMap<>();
    String current = "";
    int start = 0;
    for (int point = 0; point <= 0x110000; point++) {
      String names = point == 0x110000 ? null : namesOf(properties, point);
      if (current.equals(names)) continue;
      if (!current.isEmpty()) ranges.computeIfAbsent(current, key -> new ArrayList<>()).add(new int[] {start, point});
      current = names;
      start = point;
    }
    print(ranges);
  }

  private static List<Property> properties() throws Exception {
    UnicodeProperties unicode = new UnicodeProperties("9.0");
    List<Property> all = new ArrayList<>();
    for (String name : "ALetter Hebrew_Letter Katakana MidLetter MidNum MidNumLet Single_Quote Double_Quote ExtendNumLet Extend Format ZWJ Regional_Indicator".split(" ")) {
      all.add(new Property(name, unicode.getIntCharSet("wordbreak=" + name.replace("_", "").toLowerCase())::contains));
    }
    IntCharSet numeric = unicode.getIntCharSet("wordbreak=numeric");
    IntCharSet wide = unicode.getIntCharSet("block=halfwidthandfullwidthforms").and(unicode.getIntCharSet("nd"));
    all.add(new Property("Numeric", point -> numeric.contains(point) || wide.contains(point)));
    all.add(new Property("Han", unicode.getIntCharSet("script=han")::contains));
    all.add(new Property("Hiragana", unicode.getIntCharSet("script=hiragana")::contains));
    all.add(new Property("Complex_Context", unicode.getIntCharSet("linebreak=complexcontext")::contains));

    IntCharSet flags = unicode.getIntCharSet("wordbreak=regionalindicator");
    IntPredicate keyCapBase = point -> point >= '0' && point <= '9' || point == '#' || point == '*';
    IntPredicate modifier = point -> UCharacter.hasBinaryProperty(point, UProperty.EMOJI_MODIFIER);
    IntPredicate plainEmoji =
        point ->
            UCharacter.hasBinaryProperty(point, UProperty.EMOJI)
                && !flags.contains(point)
                && !keyCapBase.test(point)
                && !modifier.test(point)
                && "\u00a9\u00ae\u2122\u3030\u303d".indexOf(point) < 0;
    all.add(new Property("Pictograph", point -> UCharacter.hasBinaryProperty(point, UProperty.EXTENDED_PICTOGRAPHIC) || plainEmoji.test(point)));
    all.add(new Property("Emoji_Modifier", modifier));
    all.add(new Property("Emoji_Modifier_Base", point -> UCharacter.hasBinaryProperty(point, UProperty.EMOJI_MODIFIER_BASE)));
    all.add(new Property("Text_Style", point -> point == 0xfe0e));
    all.add(new Property("Emoji_Style", point -> point == 0xfe0f));
    all.add(new Property("Key_Cap_Base", keyCapBase));
    all.add(new Property("Key_Cap", point -> point == 0x20e3));
    all.add(new Property("Tag", point -> point >= 0xe0020 && point <= 0xe007e));
    all.add(new Property("Tag_End", point -> point == 0xe007f));
    return all;
  }

  private static String namesOf(List<Property> properties, int point) {
    StringBuilder names = new StringBuilder();
    for (Property property : properties) {
      if (property.holds.test(point)) names.append(names.length() == 0 ? "" : " ").append(property.name);
    }
    return names.toString();
  }

  private static void print(Map<String, List<int[]>> ranges) {
    PrintStream out = System.out;
    out.println("// Made by test/golden/text-search/MakeWordBreakData.java from the Unicode Character Database (Unicode 9.0, emoji of 11.0). Do not edit.");
    out.println();
    out.println("/**");
    out.println(" * Code points by the set of properties that they have. The ranges follow one another, in base 36: how far the range begins");
    out.println(" * after the end of the one before, then `+` and its length where that is not 1. A code point that is in no range has none.");
    out.println(" */");
    out.println("export const wordBreakData: readonly (readonly [properties: string, ranges: string])[] = [");
    for (Map.Entry<String, List<int[]>> entry : ranges.entrySet()) {
      StringBuilder text = new StringBuilder();
      int end = 0;
      for (int[] range : entry.getValue()) {
        text.append(text.length() == 0 ? "" : " ").append(Integer.toString(range[0] - end, 36));
        if (range[1] - range[0] > 1) text.append('+').append(Integer.toString(range[1] - range[0], 36));
        end = range[1];
      }
      out.println("  ['" + entry.getKey() + "', '" + text + "'],");
    }
    out.println("];");
  }
}
